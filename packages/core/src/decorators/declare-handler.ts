import { SetMetadata } from '@nestjs/common';
import { ENTRY_PROVIDER_METADATA, HANDLER_METADATA, type HandlerDeclaration } from './handler-metadata.js';

/** The one way in which a decorator of ours makes a method a handler. A method is one kind of handler. */
export function declareHandler(declaration: HandlerDeclaration): MethodDecorator {
  return (target, key, descriptor) => {
    const where = `${typeof target === 'function' ? target.name : target.constructor.name}.${String(key)}`;
    if (typeof target === 'function')
      throw new TypeError(`${declaration.decorator} is on the static method ${where}, but handlers are instance methods: remove "static"`);
    assertOptions(declaration, where);
    const former = Reflect.getOwnMetadata(HANDLER_METADATA, descriptor.value as object) as HandlerDeclaration | undefined;
    if (former) throw new TypeError(`${where} has both ${former.decorator} and ${declaration.decorator}: use one method for each`);
    SetMetadata(HANDLER_METADATA, declaration)(target, key, descriptor);
    Reflect.defineMetadata(ENTRY_PROVIDER_METADATA, true, target.constructor);
  };
}

const COMMON = ['name', 'title', 'description', 'icons', '_meta'];
const RESOURCE = [...COMMON, 'mimeType', 'annotations', 'cache'];
const OPTIONS: Readonly<Record<HandlerDeclaration['kind'], readonly string[]>> = {
  tool: [...COMMON, 'annotations', 'inputSchema', 'outputSchema'],
  prompt: [...COMMON, 'inputSchema'],
  resource: [...RESOURCE, 'uri', 'size'],
  'resource-template': [...RESOURCE, 'uriTemplate', 'inputSchema'],
};

/** Checks option names at run time, for code that TypeScript has not checked: a misspelt option would have no effect. */
function assertOptions({ kind, decorator, options }: HandlerDeclaration, where: string): void {
  const known = OPTIONS[kind];
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw new TypeError(`${decorator} on ${where} has no option ${unknown.map((key) => `"${key}"`).join(', ')}; it has ${known.join(', ')}`);
}
