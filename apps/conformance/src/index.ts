export { AppModule } from './app.module.js';
