export { AppModule } from './app.module.js';
export { nodeSettings, type NodeSettings } from './node-settings.js';
