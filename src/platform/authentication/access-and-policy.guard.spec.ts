import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { PolicyCheckService } from './access.guard.js';
import { Allow, Public } from './route-policies-and-agent-itself.js';

@Controller('closed')
class ClosedController {
  @Get()
  @Public()
  read(): void {}

  @Post()
  @Allow({ role: 'Editor' })
  write(): void {}

  helper(): void {}
}

@Controller('open')
class OpenController extends ClosedController {
  @Get('forgotten')
  forgotten(): void {}
}

async function start(controller: typeof ClosedController): Promise<void> {
  const testing = Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers: [controller],
    providers: [PolicyCheckService],
  });
  const app = (await testing.compile()).createNestApplication({ logger: false });
  try {
    await app.init();
  } finally {
    await app.close();
  }
}

describe('the start of the service', () => {
  it('succeeds when every route declares a policy', async () => {
    await expect(start(ClosedController)).resolves.toBeUndefined();
  });

  it('fails when a route declares no policy, and names the route', async () => {
    await expect(start(OpenController)).rejects.toThrow('OpenController.forgotten');
  });
});
