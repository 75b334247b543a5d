import { audio, image, type ContentBlock } from '@mocapi/core';

/** A red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** A WAV header without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** The smallest image. */
export const IMAGE: ContentBlock = image(PNG, 'image/png');

/** The smallest sound. */
export const AUDIO: ContentBlock = audio(WAV, 'audio/wav');
