import * as classValidator from 'class-validator';
import { DefinitionError } from '../../errors/definition-fault.js';
import type { JsonObject } from '../../protocol/json.js';
import type { DtoClass } from '../schema-source.js';
import { readClass, type PropertyFacts, type Rule } from './class-facts.js';
import { acceptsAbsence } from './absence.js';
import type { SchemaPart } from './derive-schema.js';
import type { Use } from './transformer-facts.js';
import { nestedTargets, type NestedTarget } from './nested-target.js';
import { className } from './property-fault.js';
import { propertySchema } from './property-schema.js';
import { isSimplePattern } from '../slow-patterns.js';

/** A DTO as JSON Schema. */
export interface DtoSchema {
  /** The advertised schema. */
  readonly json: JsonObject;
  /** The schema to check before class-validator checks. */
  readonly checked: JsonObject;
  /** Whether the schema says all that class-validator's decorators say, in this class and the nested ones. */
  readonly whole: boolean;
  /** Whether a rule that class-validator applies may hold the process up on a short text. */
  readonly slow: boolean;
  /** Whether a class stands in a union (with another by a tag, or with null), inside which ajv fills in no defaults. */
  readonly hasUnion: boolean;
}

/** How a DTO is stated. */
export interface DtoSchemaOptions {
  readonly use: Use;
  readonly nullable: boolean;
  readonly judge: 'framework' | 'pipe';
}

type Written = Omit<DtoSchema, 'checked'>;

/** A class in one schema; a class that stands in a union is another node for each tag. */
interface Node extends NestedTarget {
  readonly properties: readonly PropertyFacts[];
  uses: number;
  definition?: string;
}

/**
 * States a class as one self-contained schema. A nested class stands where it is used; one that is used
 * more than once, or in itself, stands under `$defs` (the root: `#`). The names there are made unique.
 * @throws DefinitionError
 */
export function dtoSchema(root: DtoClass, options: DtoSchemaOptions): DtoSchema {
  const advertised = new DtoSchemaWriter({ ...options, part: 'advertised' }).write(root);
  const { json: checked, ...facts } = new DtoSchemaWriter({ ...options, part: 'checked' }).write(root);
  return { json: advertised.json, checked, ...facts };
}

class DtoSchemaWriter {
  private readonly nodes = new Map<DtoClass, Map<string, Node>>();
  private readonly definitions: JsonObject = {};
  private whole = true;
  private slow = false;
  private hasUnion = false;

  constructor(private readonly options: DtoSchemaOptions & SchemaPart) {}

  write(root: DtoClass): Written {
    const node = this.visit({ owner: root });
    node.definition = '#';
    const json = this.objectSchema(node);
    if (Object.keys(this.definitions).length > 0) json['$defs'] = this.definitions;
    return { json, whole: this.whole, slow: this.slow, hasUnion: this.hasUnion };
  }

  /** First pass: counts how often each class is used, so that the second knows what goes to `$defs`. */
  private visit(target: NestedTarget): Node {
    const known = this.nodeOf(target);
    if (known !== undefined) {
      known.uses += 1;
      return known;
    }
    const node: Node = { ...target, properties: readClass(target.owner, this.options.use), uses: 1 };
    if (node.properties.length === 0 && target.tag === undefined) throw withoutProperties(target.owner);
    this.variantsOf(target.owner).set(tagKey(target), node);
    for (const facts of node.properties) for (const nested of nestedTargets(facts)) this.visit(nested);
    return node;
  }

  private objectSchema(node: Node): JsonObject {
    const properties: JsonObject = {};
    const required: string[] = [];
    if (node.tag !== undefined) {
      properties[node.tag.property] = { type: 'string', const: node.tag.value };
      required.push(node.tag.property);
    }
    for (const facts of node.properties) {
      if (facts.wireName === node.tag?.property) continue;
      const { json, whole } = propertySchema(facts, this.nestedSchema(facts), this.options);
      if (json['if'] !== undefined) this.hasUnion = true;
      // Defined, not assigned: the name may be `__proto__`.
      Object.defineProperty(properties, facts.wireName, { value: json, enumerable: true, configurable: true, writable: true });
      this.whole &&= whole;
      this.slow ||= facts.rules.some(maybeSlow);
      if (this.isRequired(facts)) required.push(facts.wireName);
    }
    return required.length > 0 ? { type: 'object', properties, required } : { type: 'object', properties };
  }

  private nestedSchema(facts: PropertyFacts): JsonObject | undefined {
    const targets = nestedTargets(facts);
    if (targets.length === 0) return undefined;
    if (facts.type?.discriminator === undefined) return this.place(this.nodeOf(targets[0]!)!);
    this.hasUnion = true;
    return { type: 'object', oneOf: targets.map((target) => this.place(this.nodeOf(target)!)) };
  }

  /** The class's schema itself, or a reference to it. */
  private place(node: Node): JsonObject {
    if (node.definition === '#') return { $ref: '#' };
    if (node.uses === 1) return this.objectSchema(node);
    if (node.definition === undefined) {
      node.definition = this.freeName(node);
      // The name is taken before the schema is there: the class may be used in itself.
      this.definitions[node.definition] = {};
      this.definitions[node.definition] = this.objectSchema(node);
    }
    return { $ref: `#/$defs/${node.definition}` };
  }

  private freeName(node: Node): string {
    const base = className(node.owner).replaceAll(/[^A-Za-z0-9_.-]/g, '_');
    let name = base;
    for (let count = 2; Object.hasOwn(this.definitions, name); count += 1) name = `${base}${count}`;
    return name;
  }

  private isRequired(facts: PropertyFacts): boolean {
    const { rules } = facts;
    const checked = this.options.part === 'checked';
    if (checked && this.options.judge === 'pipe') return false;
    if (rules.some((rule) => rule.kind === 'condition')) return false;
    if (facts.field === undefined && rules.length > 0 && rules.every((rule) => rule.kind === 'none')) return false;
    if (rules.some((rule) => rule.name === 'isEmpty')) return false;
    // A @Transform may give an absent property a value, and a decorator of the application's own may remove one.
    if (checked && (acceptsAbsence(facts) || (facts.exposed && facts.conversion === 'code'))) return false;
    // What is returned is complete: defaults and initialisers are filled in by then.
    return this.options.use === 'output' || (!facts.initialised && !hasDefault(facts));
  }

  private nodeOf(target: NestedTarget): Node | undefined {
    return this.variantsOf(target.owner).get(tagKey(target));
  }

  private variantsOf(owner: DtoClass): Map<string, Node> {
    const variants = this.nodes.get(owner) ?? new Map<string, Node>();
    this.nodes.set(owner, variants);
    return variants;
  }
}

/** Whether `@McpField` gives a value that is filled in. A default of `@ApiProperty` only describes what the class does. */
function hasDefault({ field }: PropertyFacts): boolean {
  return field?.default !== undefined || field?.schema?.['default'] !== undefined;
}

function tagKey({ tag }: NestedTarget): string {
  return tag === undefined ? '' : JSON.stringify([tag.property, tag.value]);
}

function withoutProperties(owner: DtoClass): DefinitionError {
  return new DefinitionError({
    where: className(owner),
    problem: 'no property of the class has a decorator of class-validator or @McpField(), so its schema would be empty',
    fix: 'Decorate each property: @IsString() name: string; or @McpField({ description: "..." }) name: string.',
  });
}

/** The names of class-validator's own rules, such as `isEmail`. They are linear, or quadratic at worst, so that only a long text is slow. */
const BUILT_IN = new Set(Object.values(classValidator).filter((value): value is string => typeof value === 'string'));

/**
 * Returns whether a rule may block the process on a short string: a pattern that may backtrack, whatever its flags, or
 * a rule of the application's own, which may contain such a pattern.
 */
function maybeSlow({ kind, name, args }: Rule): boolean {
  if (kind !== 'check') return false;
  if (name === undefined || !BUILT_IN.has(name)) return true;
  if (name !== classValidator.MATCHES) return false;
  const [pattern] = args;
  return !isSimplePattern(pattern instanceof RegExp ? pattern.source : String(pattern));
}
