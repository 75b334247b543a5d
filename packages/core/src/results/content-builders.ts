import { defined } from '../protocol/json.js';
import { base64Of, type Bytes } from '../protocol/bytes.js';
import type { Annotations, AudioContent, EmbeddedResource, Icon, ImageContent, ResourceLink, TextContent } from '../protocol/official.js';

/** Members that any block of content may have (MCP server/resources "Annotations"; basic "_meta"). */
export interface ContentExtras {
  /** For whom it is, how much it matters (0 to 1), and when it last changed. */
  readonly annotations?: Annotations;
  readonly _meta?: Record<string, unknown>;
}

/** Members that an embedded resource may have besides its URI and content. */
export interface EmbeddedExtras extends ContentExtras {
  /** @default none: the client guesses */
  readonly mimeType?: string;
}

/** Members of a link to a resource. The resource need not be listed. */
export interface ResourceLinkParts extends ContentExtras {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, if known. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

/** A MIME type: RFC 9110's `type/subtype`, maybe with parameters. */
const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"]*"))*$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A block of text (MCP server/tools "Text content"). */
export function text(value: string, extras?: ContentExtras): TextContent {
  return extras ? { type: 'text', text: value, ...defined(extras) } : { type: 'text', text: value };
}

/**
 * An image (MCP server/tools "Image content").
 * @param data its bytes, or their base64
 * @throws TypeError when `mimeType` is no `image/…`, or a text no base64
 */
export function image(data: Bytes | string, mimeType: string, extras: ContentExtras = {}): ImageContent {
  return { type: 'image', data: base64(data), mimeType: mimeOf('image', mimeType), ...defined(extras) };
}

/**
 * A sound (MCP server/tools "Audio content").
 * @param data its bytes, or their base64
 * @throws TypeError when `mimeType` is no `audio/…`, or a text no base64
 */
export function audio(data: Bytes | string, mimeType: string, extras: ContentExtras = {}): AudioContent {
  return { type: 'audio', data: base64(data), mimeType: mimeOf('audio', mimeType), ...defined(extras) };
}

/** A link to a resource, for the client to read if it wants (MCP server/tools "Resource links"). @throws TypeError when its URI or MIME type is none */
export function resourceLink({ uri, name, mimeType, ...rest }: ResourceLinkParts): ResourceLink {
  const type = mimeType === undefined ? {} : { mimeType: mimeOf(undefined, mimeType) };
  return { type: 'resource_link', uri: absolute(uri), name, ...type, ...defined(rest) } as ResourceLink;
}

/**
 * A resource with its content (MCP server/tools "Embedded resources").
 * @param content a text, or bytes, which travel as base64
 * @throws TypeError when the URI or the MIME type is none
 */
export function embeddedResource(uri: string, content: string | Bytes, extras: EmbeddedExtras = {}): EmbeddedResource {
  const { mimeType, ...rest } = extras;
  const type = mimeType === undefined ? {} : { mimeType: mimeOf(undefined, mimeType) };
  const held = typeof content === 'string' ? { text: content } : { blob: base64(content) };
  return { type: 'resource', resource: { uri: absolute(uri), ...type, ...held }, ...defined(rest) };
}

function base64(data: Bytes | string): string {
  if (typeof data !== 'string') return base64Of(data);
  if (data.length % 4 !== 0 || !BASE64.test(data))
    throw new TypeError('The data of a content block must be bytes, or their base64 with padding');
  return data;
}

function mimeOf(kind: string | undefined, mimeType: string): string {
  const fits = MIME_TYPE.test(mimeType) && (kind === undefined || mimeType.toLowerCase().startsWith(`${kind}/`));
  if (!fits) throw new TypeError(`"${mimeType}" is not a MIME type${kind === undefined ? '' : ` of the kind ${kind}/…`}`);
  return mimeType;
}

function absolute(uri: string): string {
  if (!URL.canParse(uri)) throw new TypeError(`"${uri}" is not an absolute URI`);
  return uri;
}
