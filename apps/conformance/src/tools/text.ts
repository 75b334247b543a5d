import type { ContentBlock } from '@mocapi/core';

/** A content block of text. */
export function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}
