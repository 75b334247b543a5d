/** A value that JSON can't hold without loss, where JSON is needed. */
export class NotJsonError extends TypeError {
  override readonly name = 'NotJsonError';

  constructor(
    /** Where the value stands, from the root that was named: `result.content[0].data`. */
    readonly path: string,
    /** The value that was found: `a BigInt`. */
    readonly found: string,
  ) {
    super(`JSON can't hold ${path}: it is ${found}`);
  }
}
