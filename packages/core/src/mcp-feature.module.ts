import { Module, type DynamicModule } from '@nestjs/common';
import { bindToMcpEndpoint } from './boot/endpoint-parts.js';
import type { McpFeatureOptions } from './mcp-module-options.js';

/** The module that `McpModule.forFeature` returns: it is bound to an endpoint. */
@Module({})
export class McpFeatureModule {
  static of({ endpoint, imports = [], providers = [], controllers = [], exports = [] }: McpFeatureOptions): DynamicModule {
    return {
      module: McpFeatureModule,
      imports: [...imports],
      providers: [...bindToMcpEndpoint(endpoint), ...providers],
      controllers: [...controllers],
      exports: [...exports],
    };
  }
}
