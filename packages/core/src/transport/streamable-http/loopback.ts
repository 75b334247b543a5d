const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Whether only this machine reaches an address. One that is not known is of no network: a Unix socket, or a request that was injected. */
export function isLoopback(address: string | undefined): boolean {
  return address === undefined || LOOPBACK.test(address);
}
