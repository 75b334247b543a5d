import 'reflect-metadata';
import { generateKeyPairSync } from 'node:crypto';
import { McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp } from '@mocapi/testing';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { AuthGuard, KeycloakConnectModule, TokenValidation } from 'nest-keycloak-connect';
import { Handlers } from './guarded-app.js';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keycloak = await createMcpTestingApp({
  imports: [
    McpTasksModule.forRoot(),
    KeycloakConnectModule.register({
      authServerUrl: 'http://127.0.0.1:9',
      realm: 'test',
      clientId: 'test',
      secret: 'secret',
      realmPublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      tokenValidation: TokenValidation.OFFLINE,
    }),
  ],
  providers: [Handlers, { provide: APP_GUARD, useClass: AuthGuard }],
});
const throttled = await createMcpTestingApp({
  imports: [McpTasksModule.forRoot(), ThrottlerModule.forRoot([{ ttl: 60_000, limit: 5 }])],
  providers: [Handlers, { provide: APP_GUARD, useClass: ThrottlerGuard }],
});
console.log(JSON.stringify({ keycloak: keycloak.url, throttled: throttled.url }));
