import { McpDefinitionsError, type DefinitionFault } from '../errors/definition-fault.js';
import { messageOf } from '../errors/thrown.js';
import type { McpValueResolver } from '../seams/value-resolver.js';
import { parseDuration, parseTtl, type DurationOption } from './duration.js';
import { unknownOptions, type OptionNames } from '../errors/unknown-options.js';

/** How the faults of a set of options are worded. */
export interface OptionReaderParts {
  /** The place and the problem of a fault, as its reader needs them. */
  readonly at: (option: string, problem: string) => Pick<DefinitionFault, 'where' | 'problem'>;
  /** The fix of an option for which a check has no better one. @default to correct it, or to leave it out */
  readonly fix?: (option: string) => string;
}

const NO_SUCH_OPTION = 'this option does not exist';

/**
 * Checks the options of a module or a decorator, one by one, and collects what is wrong with them. A check of an option that is wrong returns a
 * value of the right type, so that the others can be checked as well.
 */
export class OptionReader {
  readonly faults: DefinitionFault[] = [];
  private readonly at: OptionReaderParts['at'];
  private readonly fix: (option: string) => string;

  constructor(
    private readonly resolver: McpValueResolver,
    { at, fix = (option) => `Correct ${option}, or leave it out to use its default.` }: OptionReaderParts,
  ) {
    this.at = at;
    this.fix = fix;
  }

  /** Adds a fault. */
  fault(option: string, problem: string, fix = this.fix(option)): void {
    this.faults.push({ ...this.at(option, problem), fix });
  }

  /**
   * Reports every name in `given` that no option has.
   * @param path the option that contains them, such as `limits`; none for those of the module or decorator itself
   */
  known<T extends object>(given: T | undefined, names: OptionNames<NoInfer<T>>, path?: string): void {
    for (const { name, fix } of unknownOptions(given, names))
      this.fault(path === undefined ? name : `${path}.${name}`, NO_SUCH_OPTION, fix);
  }

  /** Returns the result of `read`. If `read` throws, it records a fault with that message and returns `fallback`. */
  attempt<T>(option: string, read: () => T, { fallback, fix }: { readonly fallback: T; readonly fix?: string }): T {
    try {
      return read();
    } catch (error) {
      this.fault(option, messageOf(error), fix);
      return fallback;
    }
  }

  /** A text with its placeholders resolved; anything else as it is. @throws Error as the resolver does */
  resolved<T>(value: T): T | string {
    return typeof value === 'string' ? this.resolver.resolve(value) : value;
  }

  /** A text with something in it, its placeholders resolved. */
  text(option: string, value: unknown): string {
    if (typeof value === 'string' && value !== '')
      return this.attempt(option, () => this.resolved(value), { fallback: value, fix: `Correct the option "${option}".` });
    this.fault(option, 'it must be a non-empty string', `Write ${option}: '…'.`);
    return '';
  }

  /** A whole number of at least `least`. */
  count(option: string, value: number, { least = 1, fix }: { readonly least?: number; readonly fix?: string } = {}): number {
    const wanted = least === 1 ? 'above zero' : `of at least ${least}`;
    if (!Number.isSafeInteger(value) || value < least) this.fault(option, `${value} is not a whole number ${wanted}`, fix);
    return value;
  }

  /** One of the allowed words. */
  oneOf<T extends string>(option: string, value: T, allowed: readonly T[]): T {
    const fix = `Write one of ${allowed.map((word) => `'${word}'`).join(', ')}.`;
    if (!allowed.includes(value)) this.fault(option, `"${value}" is not known`, fix);
    return value;
  }

  /** The milliseconds of a duration, of which there are at least `least`. A placeholder may stand for either form. */
  duration(option: string, value: DurationOption, least = 1): number {
    const ms = this.attempt(option, () => parseDuration(this.resolvedDuration(value)), { fallback: least });
    if (ms < least) this.fault(option, `${ms} ms is less than ${least} ms`);
    return ms;
  }

  /** The milliseconds that something may be kept; 0: not at all. */
  ttl(option: string, value: DurationOption): number {
    return this.attempt(option, () => parseTtl(this.resolvedDuration(value)), { fallback: 0 });
  }

  /** @throws McpDefinitionsError listing every option that is wrong */
  assertSound(): void {
    if (this.faults.length > 0) throw new McpDefinitionsError(this.faults);
  }

  private resolvedDuration(value: DurationOption): DurationOption {
    const given = this.resolved(value);
    return typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
  }
}
