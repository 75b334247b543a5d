import { SetMetadata } from '@nestjs/common';
import { ENTRY_PROVIDER_METADATA, HANDLER_METADATA, type HandlerDeclaration } from './handler-metadata.js';

/** The one way in which a decorator of ours makes a method a handler. A method is one kind of handler. */
export function declareHandler(declaration: HandlerDeclaration): MethodDecorator {
  return (target, key, descriptor) => {
    const former = Reflect.getOwnMetadata(HANDLER_METADATA, descriptor.value as object) as HandlerDeclaration | undefined;
    if (former)
      throw new TypeError(
        `${target.constructor.name}.${String(key)} has ${former.decorator} and ${declaration.decorator}: use one method for each`,
      );
    SetMetadata(HANDLER_METADATA, declaration)(target, key, descriptor);
    Reflect.defineMetadata(ENTRY_PROVIDER_METADATA, true, target.constructor);
  };
}
