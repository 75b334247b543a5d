// #region client
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export async function forecast(url: string): Promise<unknown> {
  const client = new Client({ name: 'guide', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { structuredContent } = await client.callTool({ name: 'forecast', arguments: { city: 'Graz' } });
  await client.close();
  return structuredContent;
}
// #endregion client
