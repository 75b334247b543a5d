/** The example app on stdio. */
export { AppModule } from './app.module.js';
