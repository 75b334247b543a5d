/**
 * Waits for every start. If one fails, ends those that succeeded with `stop`, so that nothing outlives the failure.
 * @throws the first failure
 */
export async function allOrNone<T>(starts: readonly Promise<T>[], stop: (started: T) => Promise<void>): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(starts);
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return started;
  await Promise.all(started.map(stop));
  throw failure.reason;
}
