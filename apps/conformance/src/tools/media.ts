import type { ContentBlock } from '@mocapi/core';

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** A WAV header without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** The smallest image. */
export const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };

/** The smallest sound. */
export const AUDIO: ContentBlock = { type: 'audio', data: WAV, mimeType: 'audio/wav' };
