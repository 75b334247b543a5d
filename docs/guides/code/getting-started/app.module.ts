// #region module
import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { WeatherTools } from './weather.tools.js';

@Module({
  imports: [McpModule.forRoot({ name: 'weather', version: '1.0.0' })],
  providers: [WeatherTools],
})
export class AppModule {}
// #endregion module
