import { Injectable } from '@nestjs/common';
import { McpArg, McpResource, McpResourceTemplate } from '@mocapi/core';
import { PNG } from '../tools/media.js';

/** The fixtures of the `resources-*` scenarios. */
@Injectable()
export class FixtureResources {
  @McpResource({ uri: 'test://static-text', name: 'Static text', description: 'A text', mimeType: 'text/plain' })
  text(): string {
    return 'This is the content of the static text resource.';
  }

  @McpResource({ uri: 'test://static-binary', name: 'Static binary', description: 'An image', mimeType: 'image/png' })
  binary(): Buffer {
    return Buffer.from(PNG, 'base64');
  }

  @McpResourceTemplate({
    uriTemplate: 'test://template/{id}/data',
    name: 'Template',
    description: 'Data of an id',
    mimeType: 'application/json',
  })
  template(@McpArg('id') id: string): object {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}
