/**
 * Whether `text` is well-formed UTF-16: no surrogate stands alone. Ill-formed strings collide once encoded as UTF-8
 * (each lone surrogate becomes U+FFFD), so they are refused wherever strings are compared or echoed.
 */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
