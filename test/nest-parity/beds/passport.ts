import { Injectable, UseGuards } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { plainRow } from '../rows/guards.js';
import type { Input } from '../model/row.js';
import { validatingPipe, type Bed } from './bed.js';

const secret = 'a secret of the tests';
const jwt = new JwtService({ secret });

@Injectable()
class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({ jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), secretOrKey: secret });
  }

  validate({ sub }: { sub: string }): object {
    return { id: sub };
  }
}

const bearer = (token: string): Input => ({ args: { word: 'a' }, headers: { authorization: `Bearer ${token}` } });
const inputs = {
  valid: bearer(jwt.sign({ sub: 'ali' })),
  expired: bearer(jwt.sign({ sub: 'ali', exp: 1 })),
  forged: bearer(jwt.sign({ sub: 'ali' }, { secret: 'another' })),
  none: { args: { word: 'a' } },
};

/** `AuthGuard('jwt')` of `@nestjs/passport` with `passport-jwt`. */
export const passportBed: Bed = {
  name: 'passport',
  groups: [
    {
      name: '@nestjs/passport',
      rows: [plainRow("AuthGuard('jwt')", inputs, { onClass: [UseGuards(AuthGuard('jwt'))] })],
    },
  ],
  parts: { imports: [PassportModule], providers: [JwtStrategy] },
  configure: validatingPipe,
};
