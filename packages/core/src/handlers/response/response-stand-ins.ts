import type { HeaderSink } from '../../dispatch/exchange.js';
import { responseFacade, type ResponseFacade } from './response-facade.js';
import type { ResponseHeaders } from './response-headers.js';

/** Makes what enhancers see as the HTTP response. */
export class ResponseStandIns {
  constructor(private readonly headers: ResponseHeaders) {}

  /** @param sink where allowed headers go; undefined where no HTTP response waits */
  make(sink: HeaderSink | undefined): ResponseFacade {
    if (!sink) return responseFacade();
    return responseFacade((name, value) => {
      if (value === undefined) sink.remove(name.toLowerCase());
      else this.headers.set(sink, name, value);
    });
  }
}
