import { Injectable } from '@nestjs/common';
import { McpArgs, McpTool, type JsonObject } from '@mocapi/core';
import { CONTACT_SCHEMA, REGION_SCHEMA } from './raw-schemas.js';

/** The fixtures whose input schema has to arrive word for word. */
@Injectable()
export class SchemaTools {
  @McpTool({ name: 'json_schema_2020_12_tool', description: 'Tool with JSON Schema 2020-12 features', inputSchema: CONTACT_SCHEMA })
  jsonSchema(@McpArgs() args: JsonObject): string {
    return `Contact: ${JSON.stringify(args)}`;
  }

  @McpTool({ name: 'test_x_mcp_header', description: 'Takes an argument that a header repeats', inputSchema: REGION_SCHEMA })
  mcpHeader(@McpArgs() args: JsonObject): string {
    return `Region: ${args['region'] as string}`;
  }
}
