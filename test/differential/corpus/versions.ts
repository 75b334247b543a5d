import { call, Key, OUT, rpc, type Area } from './case.js';

const echo = { text: 'hi' };
const list = (edit: Parameters<typeof rpc>[2]) => rpc('tools/list', {}, edit);

/** Which revision a request is of: header against envelope, and what is served (MCP basic "Versioning"). */
export const versions: Area = {
  'unknown in both': list({ version: 'v999.0.0' }),
  'unknown in both, of discover': rpc('server/discover', {}, { version: '2099-01-01' }),
  'unknown in both, of a call': call('echo', echo, { version: '2099-01-01' }),
  'unknown in both, of an unknown method': rpc('nope/nope', {}, { version: '2099-01-01' }),
  'unknown in both, without capabilities': list({ version: '2099-01-01', meta: { [Key.capabilities]: OUT } }),
  'unknown in both, without Mcp-Method': list({ version: '2099-01-01', headers: { 'Mcp-Method': OUT } }),
  'unknown in both, with another Mcp-Method': list({ version: '2099-01-01', headers: { 'Mcp-Method': 'prompts/list' } }),
  'unknown in the envelope': list({ meta: { [Key.version]: 'v999.0.0' } }),
  'unknown in the header': list({ headers: { 'MCP-Protocol-Version': '2099-01-01' } }),
  'unknown in the envelope, no header': list({ version: '2099-01-01', headers: { 'MCP-Protocol-Version': OUT } }),
  'no header': list({ headers: { 'MCP-Protocol-Version': OUT } }),
  'no header, of discover': rpc('server/discover', {}, { headers: { 'MCP-Protocol-Version': OUT } }),
  'no header, of a call': call('echo', echo, { headers: { 'MCP-Protocol-Version': OUT } }),
  'header empty': list({ headers: { 'MCP-Protocol-Version': '' } }),
  'header with white space': list({ headers: { 'MCP-Protocol-Version': '  2026-07-28  ' } }),
  'header twice': list({ headers: { 'MCP-Protocol-Version': ['2026-07-28', '2026-07-28'] } }),
  'header twice, and different': list({ headers: { 'MCP-Protocol-Version': ['2026-07-28', '2025-11-25'] } }),
  'header name in small letters': list({ headers: { 'mcp-protocol-version': '2026-07-28' } }),
  'header as base64': list({ headers: { 'MCP-Protocol-Version': '=?base64?MjAyNi0wNy0yOA==?=' } }),
  'an older revision in both': list({ version: '2025-11-25' }),
  'an older revision in both, of a call': call('echo', echo, { version: '2025-06-18' }),
  'an older revision in the header': list({ headers: { 'MCP-Protocol-Version': '2025-11-25' } }),
  'an older revision in the envelope': list({ meta: { [Key.version]: '2025-11-25' } }),
  'a draft': list({ version: 'DRAFT-2026-v1' }),
  'the next day': list({ version: '2026-07-29' }),
  'another spelling': list({ version: '2026-7-28' }),
  'with white space inside the envelope': list({ meta: { [Key.version]: ' 2026-07-28 ' } }),
  'not ASCII in the envelope': list({ meta: { [Key.version]: '２０２６-07-28' } }),
  'the header alone, without an envelope': list({ message: { params: {} } }),
  'the header alone, without an envelope, of discover': rpc('server/discover', {}, { message: { params: OUT } }),
  'an unknown header alone, without an envelope': list({ message: { params: {} }, headers: { 'MCP-Protocol-Version': '2099-01-01' } }),
};
