import { Logger } from '@nestjs/common';
import type { RedisTimeoutError } from '../connection/deadline-queue.js';

/** Says once that Redis is connected and does not answer, and once that it does again, however many calls that concerns. */
export class SilenceLog {
  private readonly logger = new Logger('McpTasksRedis');
  private isSilent = false;

  began({ message }: RedisTimeoutError): void {
    if (!this.isSilent) this.logger.warn(`${message}: calls that need it are rejected until it does`);
    this.isSilent = true;
  }

  answered(): void {
    if (this.isSilent) this.logger.log('Redis answers again');
    this.isSilent = false;
  }
}
