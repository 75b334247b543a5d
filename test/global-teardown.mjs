/** Ends the Redis that the set-up started. */
export default async function teardown() {
  await globalThis.__mocapiRedis?.stop();
}
