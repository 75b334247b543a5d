/** The part of `passport-jwt` that is used here; the package has no types of its own. */
declare module 'passport-jwt' {
  export const ExtractJwt: { fromAuthHeaderAsBearerToken(): (request: unknown) => string | null };
  export class Strategy {
    constructor(options: { jwtFromRequest: (request: unknown) => string | null; secretOrKey: string }, verify?: (...args: never[]) => void);
    authenticate(request: unknown): void;
  }
}
