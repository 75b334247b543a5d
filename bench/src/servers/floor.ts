import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { echoAnswer } from './echo-text.js';
import { listenNest } from './listen.js';

interface Message {
  readonly id: number;
  readonly params: { readonly arguments: { readonly text: string } };
}

@Controller()
class EchoController {
  @Post('mcp')
  @HttpCode(200)
  echo(@Body() { id, params }: Message): object {
    return echoAnswer(id, params.arguments.text);
  }
}

// F: what bare Nest on Fastify costs with one POST route.
@Module({ controllers: [EchoController] })
class FloorModule {}

await listenNest(FloorModule);
