import { McpArg, McpComplete, McpPrompt, McpResource, McpResourceTemplate } from '@mocapi/core';
import { createMcpTestingApp } from '@mocapi/testing';
import { UseGuards, type Type } from '@nestjs/common';

/** The fault that a boot with this class ends in. */
function fault(Provider: Type): Promise<string> {
  return createMcpTestingApp({ providers: [Provider] }).then(
    (testing) => testing.close().then(() => 'none'),
    (error: Error) => error.message,
  );
}

function resource(uri: string): Type {
  class Resources {
    @McpResource({ uri }) read(): void {}
  }
  return Resources;
}

function template(uriTemplate: string): Type {
  class Templates {
    @McpResourceTemplate({ uriTemplate }) read(@McpArg('id') _id: string): void {}
  }
  return Templates;
}

describe('an address that cannot be used stops the boot', () => {
  it.each(['', 'config', '/config', 'app:// x'])('of a resource: "%s"', async (uri) => {
    expect(await fault(resource(uri))).toMatch(/Resources\.read: ".*" is not an absolute URI/);
  });

  it.each(['app://{id', 'app://{id:3}', 'app://{;id}', '{id}', 'id/{id}'])('of a template: "%s"', async (text) => {
    expect(await fault(template(text))).toMatch(/Templates\.read: the template ".*" (cannot be used|does not begin with a scheme)/);
  });

  it('of a template, when an argument is none of its variables', async () => {
    expect(await fault(template('app://users/{user}'))).toMatch(/the argument "id" is not a variable of the template/);
  });

  it('of a resource, when it has arguments', async () => {
    class Resources {
      @McpResource({ uri: 'app://x' }) read(@McpArg('id') _id: string): void {}
    }
    expect(await fault(Resources)).toMatch(/a resource has no arguments/);
  });

  it('that stands twice, templates that match the same included', async () => {
    class Twice {
      @McpResource({ uri: 'app://x' }) one(): void {}
      @McpResource({ uri: 'app://x' }) two(): void {}
      @McpResourceTemplate({ uriTemplate: 'app://y/{a}' }) three(@McpArg('a') _a: string): void {}
      @McpResourceTemplate({ uriTemplate: 'app://y/{b}' }) four(@McpArg('b') _b: string): void {}
    }
    const message = await fault(Twice);
    expect(message).toContain('Twice.two: the resource URI "app://x" is already used by Twice.one');
    expect(message).toContain('Twice.four: the resource template URI "app://y/{b}" is already used by Twice.three');
  });
});

describe('caching that makes no sense stops the boot', () => {
  it.each([[{ ttl: 'soon' }], [{ ttl: -1 }], [{ scope: 'everyone' as never }]])('of a resource: %j', async (cache) => {
    class Resources {
      @McpResource({ uri: 'app://x', cache }) read(): void {}
    }
    expect(await fault(Resources)).toMatch(/Resources\.read: cache\./);
  });

  it.each([[{ listTtl: 'soon' }], [{ readTtl: -1 }], [{ scope: 'everyone' as never }]])('of the server: %j', async (cache) => {
    await expect(createMcpTestingApp({ options: { cache } })).rejects.toThrow(/McpModule cache\./);
  });
});

describe('a completer that completes nothing stops the boot', () => {
  const guard = { canActivate: () => true };

  class Completers {
    @McpPrompt() hello(@McpArg('name') _name: string): void {}
    @McpComplete({ prompt: 'bye', argument: 'name' }) noPrompt(): string[] {
      return [];
    }
    @McpComplete({ template: 'app://{x}', argument: 'x' }) noTemplate(): string[] {
      return [];
    }
    @McpComplete({ prompt: 'hello', argument: 'age' }) noArgument(): string[] {
      return [];
    }
    @McpComplete({ prompt: 'hello', argument: 'name' }) good(): string[] {
      return [];
    }
    @McpComplete({ prompt: 'hello', argument: 'name' }) twice(): string[] {
      return [];
    }
  }

  it('naming what is missing, or who was first', async () => {
    const message = await fault(Completers);
    expect(message).toContain('Completers.noPrompt: it completes the prompt "bye", which does not exist');
    expect(message).toContain('Completers.noTemplate: it completes the template "app://{x}", which does not exist');
    expect(message).toContain('Completers.noArgument: the prompt "hello" has no argument "age"');
    expect(message).toContain('Completers.twice: "name" of the prompt "hello" is already completed by Completers.good');
    expect(message).toContain('4 mistakes');
  });

  it('and so does one with a guard of its own, which would be skipped', async () => {
    class Guarded {
      @McpPrompt() hello(@McpArg('name') _name: string): void {}
      @McpComplete({ prompt: 'hello', argument: 'name' })
      @UseGuards(guard)
      names(): string[] {
        return [];
      }
    }
    expect(await fault(Guarded)).toMatch(/Guarded\.names: it has guards.*do not run for a completion/);
  });
});
