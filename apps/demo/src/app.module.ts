import { Module } from '@nestjs/common';
import { McpModule, McpPrincipalSource } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { AdminGuard } from './caller/admin.guard.js';
import { DemoUserSource } from './caller/demo-user.source.js';
import { PaymentService } from './payments/payment-service.js';
import { ArchiveTools } from './tools/archive.tools.js';
import { BucketTools } from './tools/bucket.tools.js';
import { CalculatorTools } from './tools/calculator.tools.js';
import { CheckoutTools } from './tools/checkout.tools.js';
import { FlakyTools } from './tools/flaky.tools.js';
import { ImageTools } from './tools/image.tools.js';
import { ImportTools } from './tools/import.tools.js';
import { ReportTools } from './tools/report.tools.js';
import { TripTools } from './tools/trip.tools.js';

/** The demo: an MCP server whose long-running tools become tasks, all in memory. */
@Module({
  imports: [
    McpModule.forRoot({
      name: 'mocapi-demo',
      version: '0.0.0',
      title: 'mocapi demo',
      providers: [{ provide: McpPrincipalSource, useClass: DemoUserSource }],
    }),
    McpTasksModule.forRoot(),
  ],
  providers: [
    AdminGuard,
    PaymentService,
    // Their order here is their order in tools/list.
    CalculatorTools,
    ImageTools,
    ReportTools,
    TripTools,
    ImportTools,
    CheckoutTools,
    BucketTools,
    ArchiveTools,
    FlakyTools,
  ],
})
export class AppModule {}
