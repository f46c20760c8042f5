"""Mail: messages that come in and go out; what they mean for a campaign is the office's matter."""
