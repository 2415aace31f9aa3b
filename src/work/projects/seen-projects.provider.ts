import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SeenProjectsService } from '../../agents/seen-projects.service.js';
import { isAtLeast } from '../../platform/authentication/principal.js';
import { visibilityOf } from './visibility.js';

/** Says to the register of agents which projects a caller sees (contract §2.2). */
@Injectable()
export class SeenProjectsProvider implements OnModuleInit {
  constructor(private readonly projects: SeenProjectsService) {}

  onModuleInit(): void {
    this.projects.rule = (caller, alias, from) =>
      caller.type === 'user' && isAtLeast(caller.role, 'Admin') ? null : visibilityOf(caller, alias, from);
  }
}
