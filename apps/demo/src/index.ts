export { AppModule } from './app.module.js';
export { ToolsModule } from './tools.module.js';
export { DemoUserSource } from './caller/demo-user.source.js';
export { PaymentService, type Charge } from './payments/payment-service.js';
export { cannotListen, CannotListenError, listen, portFrom, reachable } from './listen.js';
export { CannotStartError, createApp, LOG_LEVELS, startOrExplain } from './start-up.js';
export { curlOf, thingsToTry } from './things-to-try.js';
export { callOf, httpRequestOf, TASKS, type McpRequest } from './mcp-request.js';
