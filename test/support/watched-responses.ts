import type { Dispatcher } from 'undici';
import { LONGEST_FORM, lookForCanary, lookForCanaryInArguments, noteStored } from './canary.js';

type Handler = Dispatcher.DispatchHandler;
type Arguments<Name extends keyof Handler> = Parameters<NonNullable<Handler[Name]>>;

/** Searches every response of a service for canaries while it arrives, event streams included. */
export const watchingResponses: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    if (typeof options.body === 'string') noteStored(options.body);
    return dispatch(
      options,
      new WatchedResponse(`the response to ${options.method} ${options.path}`, handler),
    );
  };

class WatchedResponse implements Handler {
  private last = '';

  constructor(
    private readonly where: string,
    private readonly handler: Handler,
  ) {}

  onResponseStart(...given: Arguments<'onResponseStart'>): void {
    lookForCanary(`${this.where}, its headers`, JSON.stringify(given[2]));
    lookForCanaryInArguments();
    this.handler.onResponseStart?.(...given);
  }

  onResponseData(...given: Arguments<'onResponseData'>): void {
    const text = this.last + given[1].toString('latin1');
    lookForCanary(this.where, text);
    this.last = text.slice(-LONGEST_FORM);
    this.handler.onResponseData?.(...given);
  }

  onRequestStart(...given: Arguments<'onRequestStart'>): void {
    this.handler.onRequestStart?.(...given);
  }

  onRequestUpgrade(...given: Arguments<'onRequestUpgrade'>): void {
    this.handler.onRequestUpgrade?.(...given);
  }

  onResponseEnd(...given: Arguments<'onResponseEnd'>): void {
    this.handler.onResponseEnd?.(...given);
  }

  onResponseError(...given: Arguments<'onResponseError'>): void {
    this.handler.onResponseError?.(...given);
  }
}
