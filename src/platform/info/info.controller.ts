import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AllowAnyone } from '../authentication/route-policies-and-agent-itself.js';
import { Settings } from '../config/settings.js';
import { InfoResponse } from './info.response.js';

@ApiTags('Operation')
@Controller('api/info')
export class InfoController {
  constructor(private readonly settings: Settings) {}

  /** Returns the version of the service, its limits and its features, for dashboards and runners. */
  @Get()
  @AllowAnyone()
  get(): InfoResponse {
    return InfoResponse.from(this.settings);
  }
}
