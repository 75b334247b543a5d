import type { DefinitionFault } from '../errors/definition-fault.js';
import type { Icon } from '../protocol/official.js';

/** Icons that no client would show: their `src` is neither `https:` nor `data:` (MCP basic "Icons"). */
export function checkIcons(icons: readonly Icon[] | undefined, where: string): DefinitionFault[] {
  const unsafe = (icons ?? []).filter(({ src }) => !/^(?:https:\/\/|data:image\/)/i.test(src) || !URL.canParse(src));
  return unsafe.map(({ src }) => ({
    where,
    problem: `the icon "${src.slice(0, 100)}" is neither an https: URL nor a data: URI of an image, so clients would reject it`,
    fix: "Write icons: [{ src: 'https://…', mimeType: 'image/png', sizes: ['48x48'] }].",
  }));
}
