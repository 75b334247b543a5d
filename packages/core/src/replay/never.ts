/** A promise that never settles: what becomes of a call that no longer matters to anyone. */
export const never = new Promise<never>(() => undefined);
