import { Injectable } from '@nestjs/common';
import { ChoresWorker } from '../../../../platform/chores/chores.worker.js';
import { OauthSignInsRepository } from './oauth-sign-ins.repository.js';

/** Removes unfinished sign-ins at remote servers. Nothing depends on when that happens. */
@Injectable()
export class SignInChoresWorker {
  constructor(chores: ChoresWorker, signIns: OauthSignInsRepository) {
    chores.add({
      name: 'unfinished sign-ins at remote servers',
      everySeconds: 60,
      run: () => signIns.sweep(),
    });
  }
}
