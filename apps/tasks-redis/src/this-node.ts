/** Which node this process is: a token of its own, so that tools can ask for it. */
export class ThisNode {
  constructor(readonly name: string) {}
}
