import NIOCore

// What comes in: one request at a time, and only what is well formed.
extension ConnectionGate {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        isReading = false
        guard ending == .open else { return discard(bytes.readableBytes, context) }
        if held.readableBytes == 0 {
            held = bytes
        } else {
            held.writeBuffer(&bytes)
        }
        letThrough(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if ending == .open {
            look(by: nextDeadline, context)
        } else {
            // Nobody behind asks for what is thrown away.
            read(context: context)
        }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if ending == .open, input == .complete, held.readableBytes > 0 {
            isReadDelayed = true
            return
        }
        if input == .body, !isReading { bodyCredit.pause(.now() - lastBody) }
        isReading = true
        context.read()
    }

    /// Lets through as much of what is held as belongs to the request whose turn it is.
    ///
    /// - Returns: whether anything went through.
    @discardableResult
    func letThrough(_ context: ChannelHandlerContext) -> Bool {
        var isAny = false
        do {
            while ending == .open, held.readableBytes > 0 {
                switch input {
                case .waiting:
                    since = .now()
                    scanner = RequestScanner(limits)
                    input = .head
                case .head:
                    guard let length = try scanner.scan(held.readableBytesUInt8Span) else { return isAny }
                    begin(scanner.head, context)
                    forward(length, context)
                    isAny = true
                case .body:
                    let length = try body.scan(held.readableBytesUInt8Span)
                    lastBody = .now()
                    bodyCredit.earn(length, at: lastBody)
                    if body.isDone { input = .complete }
                    forward(length, context)
                    isAny = true
                case .complete:
                    return isAny
                }
            }
        } catch {
            refuse(error, context)
        }
        return isAny
    }

    private func begin(_ head: RequestHead, _ context: ChannelHandlerContext) {
        body = BodyScanner(head.body, limits, sizeLimit: head.bodyLimit(limits))
        input = body.isDone ? .complete : .body
        isLast = !head.keepsConnection
        guard input == .body else { return }
        lastBody = .now()
        bodyCredit = TransferCredit(limits, from: lastBody)
        if head.expectsContinue, head.isCurrent {
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(Self.goOn)), promise: nil)
        }
    }

    private static let goOn = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")

    private func forward(_ length: Int, _ context: ChannelHandlerContext) {
        if length == held.readableBytes {
            let bytes = held
            held = ByteBuffer()
            context.fireChannelRead(wrapInboundOut(bytes))
        } else if let bytes = held.readSlice(length: length) {
            context.fireChannelRead(wrapInboundOut(bytes))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: inputClosed(context)
        // Of no use behind: what is written after it is dropped.
        case ChannelEvent.outputClosed: break
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func inputClosed(_ context: ChannelHandlerContext) {
        isInputClosed = true
        switch (ending, input) {
        case (.lingering, _): closeNow(context)
        case (.flushing, _): break
        case (.open, .waiting), (.open, .head): closeNow(context)
        case (.open, .body): refuse(.incomplete, context)
        case (.open, .complete):
            guard scanner.head.isRead, !isWaitingForTurn else { break }
            departure = .now() + limits.departure
            look(by: nextDeadline, context)
        }
    }
}
