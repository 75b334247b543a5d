import type { TaskKey } from '@mocapi/tasks';

/** How a store keeps the documents of its records. A document sealed for one key opens under no other. */
export interface RecordCipher {
  /** Returns the text to store instead of the document. */
  seal(key: TaskKey, document: string): string;

  /**
   * The document that was sealed for this key.
   * @throws SealedRecordError if it was sealed for another one, under a key that is not in the ring, or not at all
   */
  open(key: TaskKey, stored: string): string;
}

/** A record that can't be opened. It is for the log: the client gets an internal error. The record is left as it is. */
export class SealedRecordError extends Error {
  override readonly name = 'SealedRecordError';
}
