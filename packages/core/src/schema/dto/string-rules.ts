import { partly, whole } from './rule-keywords.js';
import type { RuleKeywords, RuleReader } from './rule-keywords.js';
import type { JsonObject } from '../../protocol/json.js';

const text = (keywords: JsonObject = {}): JsonObject => ({ type: 'string', ...keywords });
/** The rule takes options that JSON Schema has no keyword for; without any, the keywords are all of it. */
const unlessOptions =
  (keywords: JsonObject): RuleReader =>
  ([options]) =>
    options === undefined ? whole(text(keywords)) : partly(text(keywords));
/** The format allows more than class-validator does. */
const nearly =
  (keywords: JsonObject): RuleReader =>
  () =>
    partly(text(keywords));
const always =
  (keywords: JsonObject): RuleReader =>
  () =>
    whole(text(keywords));

/** An ISO 8601 string is a day or a moment; `@McpField({ format })` narrows it to one. */
const DATE_OR_MOMENT = { anyOf: [{ format: 'date' }, { format: 'date-time' }] };

/**
 * Rules of known meaning whose check is a list or a checksum: advertised as a string with a telling format (which
 * validators take for an annotation) and enforced by class-validator.
 */
const CHECKED_STRINGS: Readonly<Record<string, string>> = {
  isBase32: 'base32', isBase58: 'base58', isBIC: 'bic', isBtcAddress: 'btc-address', isCreditCard: 'credit-card', isCurrency: 'currency',
  isDataURI: 'data-uri', isDecimal: 'decimal', isEAN: 'ean', isEthereumAddress: 'ethereum-address', IsFirebasePushId: 'firebase-push-id',
  isHSL: 'hsl-color', isHash: 'hash', isIBAN: 'iban', isIdentityCard: 'identity-card', isIsbn: 'isbn', isISSN: 'issn', isIsin: 'isin',
  isISO31661Alpha2: 'iso-3166-1-alpha-2', isISO31661Alpha3: 'iso-3166-1-alpha-3', isISO31661Numeric: 'iso-3166-1-numeric',
  isISO4217CurrencyCode: 'iso-4217', isISO6391: 'iso-639-1', isISRC: 'isrc', isJson: 'json', isJwt: 'jwt', isLatLong: 'lat-long',
  isLocale: 'locale', isMacAddress: 'mac-address', isMagnetURI: 'magnet-uri', isMimeType: 'mime-type', isMobilePhone: 'phone',
  isOctal: 'octal', isPassportNumber: 'passport-number', isPhoneNumber: 'phone', isPostalCode: 'postal-code', isRgbColor: 'rgb-color',
  isSemVer: 'semver', isStrongPassword: 'strong-password', isTaxId: 'tax-id', isTimeZone: 'time-zone', isByteLength: 'byte-length',
  isAscii: 'ascii', isFullWidth: 'full-width', isHalfWidth: 'half-width', isVariableWidth: 'variable-width', isMultibyte: 'multibyte',
  isSurrogatePair: 'surrogate-pair', isLowercase: 'lowercase', isUppercase: 'uppercase', isNumberString: 'number', isHexadecimal: 'hexadecimal',
}; // prettier-ignore

/** Rules that mean a string. */
export const STRING_RULES: Readonly<Record<string, RuleReader>> = {
  ...Object.fromEntries(Object.entries(CHECKED_STRINGS).map(([name, format]) => [name, nearly({ format })])),
  isString: always({}),
  minLength: ([min]) => whole(text({ minLength: Number(min) })),
  maxLength: ([max]) => whole(text({ maxLength: Number(max) })),
  isLength: ([min, max]) => whole(text({ ...limit('minLength', min), ...limit('maxLength', max) })),
  matches: readMatches,
  contains: ([seed]) => whole(text({ pattern: escapePattern(String(seed)) })),
  notContains: ([seed]) => whole(text({ not: { pattern: escapePattern(String(seed)) } })),
  isEmail: nearly({ format: 'email' }),
  isUrl: nearly({ format: 'uri' }),
  isUuid: nearly({ format: 'uuid' }),
  isIso8601: unlessOptions(DATE_OR_MOMENT),
  isDateString: unlessOptions(DATE_OR_MOMENT),
  isRFC3339: always({ format: 'date-time' }),
  isIp: ([version]) => readIp(version),
  isFqdn: nearly({ format: 'hostname' }),
  isBase64: nearly({ contentEncoding: 'base64' }),
  isAlpha: readLetters('^[A-Za-z]+$'),
  isAlphanumeric: readLetters('^[0-9A-Za-z]+$'),
  isMongoId: always({ pattern: '^[0-9a-fA-F]{24}$' }),
  isHexColor: nearly({ pattern: '^#?[0-9a-fA-F]{3,8}$' }),
  isMilitaryTime: always({ pattern: '^([01]\\d|2[0-3]):?([0-5]\\d)$' }),
  isPort: nearly({ format: 'port' }),
  isBooleanString: always({ enum: ['true', 'false', '1', '0'] }),
};

function limit(keyword: string, value: unknown): JsonObject {
  return typeof value === 'number' ? { [keyword]: value } : {};
}

function readIp(version: unknown): RuleKeywords {
  const format = { '4': 'ipv4', '6': 'ipv6' }[String(version)];
  // ajv's and validator.js' notions of a zone index in IPv6 differ.
  if (format !== undefined) return partly(text({ format }));
  return partly(text({ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }));
}

/** Without a locale the letters are English. */
function readLetters(pattern: string): RuleReader {
  return ([locale]) => (locale === undefined || locale === 'en-US' ? whole(text({ pattern })) : partly(text()));
}

function readMatches([pattern, modifiers]: readonly unknown[]): RuleKeywords {
  const source = pattern instanceof RegExp ? pattern.source : String(pattern);
  // validator.js ignores the modifiers beside a RegExp.
  const flags = pattern instanceof RegExp ? pattern.flags : typeof modifiers === 'string' ? modifiers : '';
  // `g` and `d` don't change whether a string matches; `u` is how JSON Schema reads every pattern.
  const lost = flags.replaceAll(/[gdu]/g, '');
  // JSON Schema's "pattern" carries no flag, and reads each pattern under "u".
  if (lost !== '' || !isUnicodePattern(source)) return partly(text());
  return whole(text({ pattern: source }));
}

function isUnicodePattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    return false;
  }
}

function escapePattern(seed: string): string {
  return seed.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
