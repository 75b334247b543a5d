import { domainToASCII } from 'node:url';

/** A host name of the configuration as it travels: names beyond ASCII in punycode, an optional port kept. */
export function toAsciiHostname(entry: string): string {
  if (/^[\x20-\x7e]*$/.test(entry)) return entry;
  const [, name = '', port = ''] = /^(.*?)(:[0-9]+)?$/.exec(entry) ?? [];
  return domainToASCII(name) + port;
}
