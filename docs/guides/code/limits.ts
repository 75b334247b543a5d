import { McpModule } from '@mocapi/core';

// #region rate
export const limited = McpModule.forRoot({
  name: 'video',
  version: '1.0.0',
  rateLimit: { calls: { perSecond: 20, burst: 100 } },
});
// #endregion rate
