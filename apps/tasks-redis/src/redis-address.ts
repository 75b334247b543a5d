/** Where a Redis is, as people may see it: scheme, host and port, without user and password. */
export function withoutPassword(redisUrl: string): string {
  const { protocol, host } = new URL(redisUrl);
  return `${protocol}//${host}`;
}
