import { Logger } from '@nestjs/common';
import { loggable } from '../../protocol/loggable.js';

/** The most different values that are logged; further ones are only counted. */
const MAX_NAMED = 50;

/** Says once for each `Host` and `Origin` that was refused which option would allow it; bounded, since strangers choose the values. */
export class StrangerLog {
  private readonly logger = new Logger('McpModule');
  private readonly named = new Set<string>();

  constructor(private readonly path: string) {}

  /** @param option where the value would have to stand */
  refused(header: 'Host' | 'Origin', value: string, option: 'allowedHosts' | 'allowedOrigins'): void {
    const text = loggable(value);
    const key = `${header} ${text}`;
    if (this.named.size >= MAX_NAMED || this.named.has(key)) return;
    this.named.add(key);
    this.logger.warn(`${this.path} refused the ${header} "${text}", which is not in ${option} of McpModule${this.lastWord()}`);
  }

  private lastWord(): string {
    return this.named.size < MAX_NAMED ? '' : '; further refused ones are not logged';
  }
}
