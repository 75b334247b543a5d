import { Injectable } from '@nestjs/common';
import { McpArgs, McpNotifier, McpTool, type JsonObject } from '@mocapi/core';
import { createMcpTestingApp } from '@mocapi/testing';
import type { Change, Endpoint, PairSettings } from './endpoint.js';
import { ECHO_INPUT, INSTRUCTIONS, MAX_BODY_BYTES, SERVER } from './fixtures.js';
import { OurAsking } from './our-asking.js';
import { OurSurface } from './our-surface.js';
import { OurTools } from './our-tools.js';

@Injectable()
class EchoAlone {
  @McpTool({ name: 'echo', description: 'Says it back', inputSchema: ECHO_INPUT })
  echo(@McpArgs() args: JsonObject): string {
    return args['text'] as string;
  }
}

/** Starts our server over the fixtures. */
export async function startOurs({ legacy, isWhole }: PairSettings): Promise<Endpoint> {
  const options = { ...SERVER, legacy, limits: { maxBodyBytes: MAX_BODY_BYTES } };
  const { app, url, close } = await createMcpTestingApp({
    providers: isWhole ? [OurTools, OurAsking, OurSurface] : [EchoAlone],
    options: isWhole ? { ...options, instructions: INSTRUCTIONS, logging: true } : options,
  });
  const notifier = app.get(McpNotifier, { strict: false });
  return { port: Number(new URL(url).port), announce: (change) => announce(notifier, change), close };
}

function announce(notifier: McpNotifier, change: Change): void {
  if (change === 'tools') notifier.toolsChanged();
  else if (change === 'prompts') notifier.promptsChanged();
  else if (change === 'resources') notifier.resourcesChanged();
  else notifier.resourceUpdated(change.slice('resource '.length));
}
