/** Identifies the node of this process; a class, so that tools can inject it. */
export class ThisNode {
  constructor(readonly name: string) {}
}
