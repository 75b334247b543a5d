import { generateKeyPairSync } from 'node:crypto';
import { APP_GUARD } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import {
  AuthGuard,
  KeycloakConnectModule,
  PolicyEnforcementMode,
  ResourceGuard,
  RoleGuard,
  Roles,
  TokenValidation,
  Unprotected,
} from 'nest-keycloak-connect';
import { plainRow } from '../rows/guards.js';
import type { Input } from '../model/row.js';
import { validatingPipe, type Bed } from './bed.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwt = new JwtService({
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  signOptions: { algorithm: 'RS256', issuer: 'http://localhost:9/realms/parity', expiresIn: '1h' },
});
const claims = (roles: readonly string[]): object => ({ sub: 'ali', typ: 'Bearer', azp: 'parity', realm_access: { roles } });
const bearer = (roles: readonly string[]): Input => ({
  args: { word: 'a' },
  headers: { authorization: `Bearer ${jwt.sign(claims(roles))}` },
});
const inputs = {
  admin: bearer(['admin']),
  user: bearer(['user']),
  none: { args: { word: 'a' } },
  basic: { args: { word: 'a' }, headers: { authorization: 'Basic YTpi' } },
};

/** The three guards of `nest-keycloak-connect` for the whole application; tokens are checked offline by the realm's key. */
export const keycloakBed: Bed = {
  name: 'keycloak',
  groups: [
    {
      name: 'nest-keycloak-connect',
      rows: [
        plainRow('a handler', inputs),
        plainRow('roles', inputs, { onMethod: [Roles({ roles: ['realm:admin'] })] }),
        plainRow('an unprotected handler', inputs, { onMethod: [Unprotected()] }),
      ],
    },
  ],
  parts: {
    imports: [
      KeycloakConnectModule.register({
        authServerUrl: 'http://localhost:9',
        realm: 'parity',
        clientId: 'parity',
        secret: 'secret',
        bearerOnly: true,
        realmPublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        policyEnforcement: PolicyEnforcementMode.PERMISSIVE,
        tokenValidation: TokenValidation.OFFLINE,
        useNestLogger: false,
        logLevels: [],
      }),
    ],
    providers: [AuthGuard, ResourceGuard, RoleGuard].map((useClass) => ({ provide: APP_GUARD, useClass })),
  },
  configure: validatingPipe,
};
