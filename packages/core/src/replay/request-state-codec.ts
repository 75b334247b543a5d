/** Keys that seal and open `requestState`: id → 32 bytes, the first one seals. */
export type KeyRing = readonly { readonly id: string; readonly key: Uint8Array | string }[];
