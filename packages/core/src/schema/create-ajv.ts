import { Ajv2020 } from 'ajv/dist/2020.js';
import { useBudget } from './check-budget.js';
import { useBoundedFormats } from './formats.js';
import { useLinearUniqueItems } from './unique-items.js';

/**
 * The only place that sets up ajv. Every schema gets its own instance, so that the `$id`s and `$anchor`s of two tools
 * can't meet; the instance goes when the schema goes.
 */
export function createAjv({ allErrors = false, meta = false, discriminator = false } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    // Unknown keywords (`x-mcp-header`, other vocabularies) are annotations, not mistakes.
    strict: false,
    allErrors,
    meta,
    discriminator,
    useDefaults: true,
    coerceTypes: false,
    // An argument may be called `toString` or `constructor`: what every object inherits is not a member of it.
    ownProperties: true,
    $data: false,
    // Checked before, by the shared instance: compiling the meta-schema for each tool would cost 50 ms a tool.
    validateSchema: false,
    verbose: true,
    // An unknown format is an annotation; ajv would print a warning for each.
    logger: false,
  });
  useBoundedFormats(ajv);
  useLinearUniqueItems(ajv);
  useBudget(ajv);
  return ajv;
}
