/** Resolves `${KEY}` and `${KEY:default}` in every string option of the framework's decorators and modules, at boot. One per application. */
export abstract class McpValueResolver {
  /** @throws Error naming the key that has neither value nor default */
  abstract resolve(text: string): string;
}

const PLACEHOLDER = /\$\{([^}:]+)(?::([^}]*))?\}/g;

/** Takes the values of placeholders from the process's environment. */
export class EnvironmentValueResolver extends McpValueResolver {
  constructor(private readonly environment: Readonly<Record<string, string | undefined>> = process.env) {
    super();
  }

  override resolve(text: string): string {
    return text.replace(PLACEHOLDER, (_match, key: string, fallback?: string) => {
      const value = this.environment[key] ?? fallback;
      if (value === undefined) throw new Error(`\${${key}} has no value: set ${key}, or write a default, \${${key}:value}`);
      return value;
    });
  }
}
