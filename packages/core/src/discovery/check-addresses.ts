import { messageOf } from '../errors/thrown.js';
import type { HandlerDeclaration } from '../decorators/handler-metadata.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import { isAbsoluteUri } from '../protocol/texts.js';
import { UriTemplate } from '../uri-template/uri-template.js';

/** Checks the URI of a resource or template, given the schema of its variables. */
export function checkAddress(declaration: HandlerDeclaration, schema: JsonObject, where: string): DefinitionFault[] {
  if (declaration.kind === 'resource') return [...checkUri(declaration.options.uri, where), ...checkNoArguments(schema, where)];
  if (declaration.kind === 'resource-template') return checkTemplate(declaration.options.uriTemplate, schema, where);
  return [];
}

function checkUri(uri: string, where: string): DefinitionFault[] {
  if (isAbsoluteUri(uri)) return [];
  return [
    {
      where,
      problem: `"${uri}" is not an absolute URI`,
      fix: "Begin with a scheme, and use no white space: @McpResource({ uri: 'app://config' }).",
    },
  ];
}

function checkNoArguments({ properties }: JsonObject, where: string): DefinitionFault[] {
  if (!isJsonObject(properties) || Object.keys(properties).length === 0) return [];
  return [
    {
      where,
      problem: 'a resource has no arguments, so its parameters would never get a value',
      fix: 'Make it a template: @McpResourceTemplate({ uriTemplate }).',
    },
  ];
}

/** The shape of a template: two templates of one shape match the same URIs, whatever their variables are called. */
export function shapeOf(text: string): string {
  try {
    return new UriTemplate(text).shape;
  } catch {
    return text;
  }
}

function checkTemplate(text: string, schema: JsonObject, where: string): DefinitionFault[] {
  let template: UriTemplate;
  try {
    template = new UriTemplate(text);
  } catch (error) {
    return [
      {
        where,
        problem: `the template "${text}" cannot be used: ${messageOf(error)}`,
        fix: 'Write RFC 6570, such as app://users/{id}.',
      },
    ];
  }
  if (!isAbsoluteUri(template.prefix)) {
    return [
      {
        where,
        problem: `the template "${text}" does not begin with a scheme`,
        fix: 'Write the scheme literally, such as app://users/{id}.',
      },
    ];
  }
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
  const properties = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const never = [...new Set([...required, ...properties])].filter((name) => !template.variables.includes(name));
  return never.map((name) => ({
    where,
    problem: `the argument "${name}" is not a variable of the template "${text}", so it would never get a value`,
    fix: `Put {${name}} into the template, or remove the argument.`,
  }));
}
